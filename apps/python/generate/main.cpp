#include <armilla/job/key_schema.hpp>

#include <iostream>

#include "key_table.hpp"

// Prints what generate_steps.py makes the functions of steps from: the tables of keys, and the JSON Schema of jobs.
int main() {
  std::cout << R"({"table": )" << armilla::python::key_table() << R"(, "schema": )" << armilla::job::key_schema()
            << "}";
}
