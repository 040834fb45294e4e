
/* Sums of numbers of the results of calls, for each number of leaves and each place in a result. */
struct OverdubSums {
    const unsigned char *results;
    uint64_t len, room;
    /* The number of calls whose results are added, in order. */
    uint64_t leaf;
    /* The bytes before a number in a result, and one more if it has 32 bits. */
    const uint64_t *places;
    uint64_t count;
    double *sums;
    uint64_t total;
};
static inline void overdub_add(const OverdubSums &of, uint64_t number) {
    uint64_t element = number / of.count * of.leaf, place = of.places[number % of.count];
    uint64_t end = element + of.leaf < of.len ? element + of.leaf : of.len;
    double sum = 0;
    for (uint64_t at = element; at < end; at++) {
        const unsigned char *result = of.results + at * of.room + place / 8 * 8;
        double x = place % 8 == 0 ? *(const double *)result : (double)*(const float *)result;
        sum = at == element ? x : sum + x;
    }
    of.sums[number] = sum;
}

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
/* Reads the results of calls, and answers with sums of their numbers. */
static void overdub_add_all() {
    uint64_t len = overdub_number(), room = overdub_number(), leaf = overdub_number(), count = overdub_number();
    uint64_t *places = overdub_list<uint64_t>(count);
    overdub_receive(places, 8 * count);
    unsigned char *results = overdub_list<unsigned char>(len * room);
    overdub_receive(results, len * room);
    uint64_t total = (len + leaf - 1) / leaf * count;
    double *sums = overdub_list<double>(total);
    OverdubSums of = {results, len, room, leaf, places, count, sums, total};
    for (uint64_t number = 0; number < total; number++) {
        overdub_add(of, number);
    }
    if (fwrite(sums, 8, total, stdout) != total) {
        exit(4);
    }
    fflush(stdout);
    free(places);
    free(results);
    free(sums);
}
int main() {
    uint64_t count;
    while (fread(&count, sizeof count, 1, stdin) == 1) {
        if (count == UINT64_MAX) {
            overdub_add_all();
            continue;
        }
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
extern "C" __device__ OverdubSums overdub_summed;
OverdubSums overdub_summed;
extern "C" __global__ void overdub_sums() {
    uint64_t number = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (number < overdub_summed.total) {
        overdub_add(overdub_summed, number);
    }
}
#endif
