"""Pictures and words: the table drawn as text, moves told in plain English."""
