"""The house around the table: a broker of MQTT, many tables, and names on the network."""
