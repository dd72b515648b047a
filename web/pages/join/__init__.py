"""Taking a seat: a QR code for every free one."""
