#include <armilla/core/error.hpp>
#include <armilla/legendre/engine.hpp>

#include <utility>

#include <fmt/format.h>

namespace armilla::legendre {

namespace {

template <class T>
struct Row {
  const char* name;
  std::unique_ptr<Engine<T>> (*make)(Task);
};

// From the fastest to the plainest; "auto" takes the first.
template <class T>
constexpr Row<T> kRows[] = {
    {"fast", make_fast_engine<T>},
    {"reference", make_reference_engine<T>},
};

}  // namespace

std::vector<std::string> engine_names() {
  std::vector<std::string> names{"auto"};
  for (const auto& row : kRows<double>) names.emplace_back(row.name);
  return names;
}

template <class T>
std::unique_ptr<Engine<T>> make_engine(const std::string& name, Task task) {
  for (const auto& row : kRows<T>)
    if (name == row.name || name == "auto") return row.make(std::move(task));
  throw core::InputError(
      fmt::format("engine = {} does not exist: give one of {}", name, fmt::join(engine_names(), ", ")));
}

template std::unique_ptr<Engine<float>> make_engine<float>(const std::string&, Task);
template std::unique_ptr<Engine<double>> make_engine<double>(const std::string&, Task);

}  // namespace armilla::legendre
