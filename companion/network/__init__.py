"""The network around the table: an MQTT broker, a league of many tables, and names by mDNS."""
