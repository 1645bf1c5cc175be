"""Web Push: notifications for people whose turn it is while they are elsewhere."""
