/* No plugin: what one needs. */
int relied(void);
int relied(void) { return 1; }
