"""What happens in a round, in its order: threats, placing, paying, rewards, recall, scoring."""
