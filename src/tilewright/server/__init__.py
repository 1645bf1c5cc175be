"""The table on the web: pages, live play over WebSockets, storage in one SQLite file."""
