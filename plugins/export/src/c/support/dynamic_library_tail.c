
/* Before the first call. */
void overdub_begin(void) {}

/* Calls the function; a call that fails returns 1. */
uint32_t overdub_call(const unsigned char *args, OverdubSend send, void *host) {
    volatile uint32_t failed = 1;
    if (setjmp(overdub_left) == 0) {
        overdub_run(args, send, host);
        failed = 0;
    }
    while (overdub_blocks != NULL) {
        overdub_free(overdub_blocks + 1);
    }
    return failed;
}
