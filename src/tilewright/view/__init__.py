"""What people see and read: pictures, drawings in text, and everything that is told about a game."""
