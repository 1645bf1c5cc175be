"""What hosts see of a running process: metrics, logs, traces, and whether it is ready."""
