// For AddressSanitizer: Open MPI unloads its components, whose leaks then have no name that a suppression could match.
extern "C" int dlclose(void*) { return 0; }
