"""Agendas, quests, encounters, and what influence they bring."""
