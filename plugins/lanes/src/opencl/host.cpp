
#ifdef OVERDUB_ON_HOST
/* Reads launches from the standard input until it ends, and answers each on the standard output: calls with the status of all
   elements and their results, results with sums of their numbers. All numbers have 64 bits. */
static void overdub_receive(void *place, size_t bytes) {
    if (bytes > 0 && fread(place, 1, bytes, stdin) != bytes) {
        exit(2);
    }
}
static ulong overdub_number() {
    ulong number;
    overdub_receive(&number, sizeof number);
    return number;
}
template <typename T> static T *overdub_list(ulong len) {
    T *list = (T *)calloc(len > 0 ? len : 1, sizeof(T));
    if (list == NULL) {
        exit(3);
    }
    return list;
}
static void overdub_send(const void *place, size_t bytes) {
    if (fwrite(place, 1, bytes, stdout) != bytes) {
        exit(4);
    }
}
struct OverdubColumn {
    uchar *data;
    ulong *offsets;
    ulong stride;
};
static void overdub_call(ulong, ulong, uchar *, uchar *, ulong *, ulong, const OverdubColumn *);
int main() {
    ulong count;
    while (fread(&count, sizeof count, 1, stdin) == 1) {
        if (count == ~(ulong)0) {
            ulong len = overdub_number(), room = overdub_number(), leaf = overdub_number(), places = overdub_number();
            ulong *place = overdub_list<ulong>(places);
            overdub_receive(place, 8 * places);
            uchar *results = overdub_list<uchar>(len * room);
            overdub_receive(results, len * room);
            ulong total = (len + leaf - 1) / leaf * places;
            double *sums = overdub_list<double>(total);
            for (overdub_host_element = 0; overdub_host_element < total; overdub_host_element++) {
                overdub_sums(results, 0, len, room, leaf, place, places, sums, total);
            }
            overdub_send(sums, 8 * total);
        } else {
            OverdubColumn *columns = overdub_list<OverdubColumn>(count);
            for (ulong number = 0; number < count; number++) {
                ulong bytes = overdub_number();
                columns[number].data = overdub_list<uchar>(bytes);
                overdub_receive(columns[number].data, bytes);
                ulong len = overdub_number();
                columns[number].offsets = overdub_list<ulong>(len);
                overdub_receive(columns[number].offsets, 8 * len);
                columns[number].stride = overdub_number();
                if (len > 0) {
                    columns[number].stride = ~(ulong)0;
                }
            }
            ulong len = overdub_number(), room = overdub_number(), memory_each = overdub_number();
            overdub_number();
            uchar *results = overdub_list<uchar>(len * room), *status = overdub_list<uchar>(len);
            ulong *memory = overdub_list<ulong>(len * memory_each / 8);
            for (overdub_host_element = 0; overdub_host_element < len; overdub_host_element++) {
                status[overdub_host_element] = OVERDUB_FAILED;
                overdub_call(len, room, results, status, memory, memory_each, columns);
            }
            overdub_send(status, len);
            overdub_send(results, len * room);
        }
        fflush(stdout);
    }
    return 0;
}
