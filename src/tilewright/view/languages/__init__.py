"""The languages that people can read; importing this loads nothing else."""

LANGUAGES = {"en": "English", "fr": "Français", "it": "Italiano"}
DEFAULT = "en"
