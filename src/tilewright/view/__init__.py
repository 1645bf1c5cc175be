"""What people see and read: pictures, drawings in text, and everything that is said about a game."""
