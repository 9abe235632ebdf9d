#include <armilla/job/step_run.hpp>

#include <algorithm>
#include <complex>
#include <span>
#include <utility>

namespace armilla::job {

template <class T>
typename StepRun<T>::Alm& StepRun<T>::make_alm(std::size_t number) {
  const ValueInfo& info = result_info(number);
  Value<T>& value = values_[planned().results[number]];
  local("allocate", [&] { value.template emplace<Alm>(info.kind, info.alm, comm_.rank(), batch_.maps); });
  return std::get<Alm>(value);
}

template <class T>
typename StepRun<T>::Map& StepRun<T>::make_map(std::size_t number) {
  const ValueInfo& info = result_info(number);
  Value<T>& value = values_[planned().results[number]];
  local("allocate", [&] { value.template emplace<Map>(info.kind, info.pixels, comm_.rank(), batch_.maps); });
  return std::get<Map>(value);
}

template <class T>
typename StepRun<T>::Alm& StepRun<T>::take_alm() {
  const ValueInfo& info = result_info();
  Value<T>& from = values_[planned().operands.front()];
  Value<T>& value = values_[planned().results.front()];
  if (is_in_place(plan_, index_)) {
    value = std::exchange(from, Value<T>());
    return std::get<Alm>(value);
  }
  Alm& made = value.template emplace<Alm>(info.kind, info.alm, comm_.rank(), batch_.maps);
  const std::span<const std::complex<T>> source = std::get<Alm>(from).data();
  for (std::span<std::complex<T>> rest = made.data(); !rest.empty(); rest = rest.subspan(source.size()))
    std::ranges::copy(source, rest.begin());
  return made;
}

template <class T>
typename StepRun<T>::Map& StepRun<T>::take_map() {
  const ValueInfo& info = result_info();
  Value<T>& from = values_[planned().operands.front()];
  Value<T>& value = values_[planned().results.front()];
  if (is_in_place(plan_, index_)) {
    value = std::exchange(from, Value<T>());
    return std::get<Map>(value);
  }
  Map& made = value.template emplace<Map>(info.kind, info.pixels, comm_.rank(), batch_.maps);
  const std::span<const T> source = std::as_const(std::get<Map>(from)).data();
  for (std::span<T> rest = made.data(); !rest.empty(); rest = rest.subspan(source.size()))
    std::ranges::copy(source, rest.begin());
  return made;
}

template class StepRun<float>;
template class StepRun<double>;

}  // namespace armilla::job
