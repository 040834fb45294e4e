
#ifdef OVERDUB_ON_HOST
/* Reads launches from the standard input until it ends, and answers each on the standard output with the status of all
   elements and their results. All numbers have 64 bits. */
static void overdub_receive(void *place, size_t bytes) {
    if (bytes > 0 && fread(place, 1, bytes, stdin) != bytes) {
        exit(2);
    }
}
static uint64_t overdub_number() {
    uint64_t number;
    overdub_receive(&number, sizeof number);
    return number;
}
template <typename T> static T *overdub_list(uint64_t len) {
    T *list = (T *)calloc(len > 0 ? len : 1, sizeof(T));
    if (list == NULL) {
        exit(3);
    }
    return list;
}
#undef free
int main() {
    uint64_t count;
    while (fread(&count, sizeof count, 1, stdin) == 1) {
        OverdubColumn *columns = overdub_list<OverdubColumn>(count);
        for (uint64_t number = 0; number < count; number++) {
            uint64_t bytes = overdub_number();
            unsigned char *data = overdub_list<unsigned char>(bytes);
            overdub_receive(data, bytes);
            uint64_t len = overdub_number();
            uint64_t *offsets = overdub_list<uint64_t>(len);
            overdub_receive(offsets, 8 * len);
            columns[number].data = data;
            columns[number].offsets = len > 0 ? offsets : NULL;
            columns[number].stride = overdub_number();
        }
        uint64_t len = overdub_number(), room = overdub_number(), memory_each = overdub_number(), stack = overdub_number();
        unsigned char *results = overdub_list<unsigned char>(len * room), *status = overdub_list<unsigned char>(len);
        unsigned char *memory = overdub_list<unsigned char>(memory_each);
        OverdubLaunch launch = {columns, len, results, room, status, memory, memory_each, stack};
        for (uint64_t element = 0; element < len; element++) {
            overdub_host_element = element;
            overdub_launch = launch;
            /* One after the other, all elements have the same memory. */
            overdub_launch.memory = memory - element * memory_each;
            try {
                overdub_begin();
                overdub_call();
            } catch (OverdubLeft &) {
            }
        }
        if (fwrite(status, 1, len, stdout) != len || fwrite(results, 1, len * room, stdout) != len * room) {
            exit(4);
        }
        fflush(stdout);
        for (uint64_t number = 0; number < count; number++) {
            free((void *)columns[number].data);
            free((void *)columns[number].offsets);
        }
        free(columns);
        free(results);
        free(status);
        free(memory);
    }
    return 0;
}
#else
extern "C" __global__ void overdub_kernel() {
    if (overdub_element() < overdub_launch.len) {
        overdub_begin();
        overdub_call();
    }
}
#endif
