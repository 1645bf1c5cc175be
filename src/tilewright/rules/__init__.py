"""The law: records and kernels. Each game's file reads like its rulebook, section by section."""
