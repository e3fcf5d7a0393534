/* A library that the plugin relies.c needs. */
int relied(void);
int relied(void) { return 1; }
