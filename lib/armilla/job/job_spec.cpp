#include <armilla/job/job_spec.hpp>

namespace armilla::job {

namespace {

std::vector<Operand> operands_of(const RandomAlm&) { return {}; }
std::vector<Operand> operands_of(const Synthesis& step) { return {{"alm", step.alm, ValueSort::kAlm}}; }
std::vector<Operand> operands_of(const Analysis& step) { return {{"map", step.map, ValueSort::kMap}}; }
std::vector<Operand> operands_of(const AdjointSynthesis& step) { return {{"map", step.map, ValueSort::kMap}}; }
std::vector<Operand> operands_of(const Smooth& step) { return {{"alm", step.alm, ValueSort::kAlm}}; }
std::vector<Operand> operands_of(const Spectra& step) {
  return {{"alm", step.alm, ValueSort::kAlm}, {"with", step.with, ValueSort::kAlm}};
}
std::vector<Operand> operands_of(const Compare& step) {
  return {{"alm", step.alm, ValueSort::kAlm}, {"reference", step.reference, ValueSort::kAlm}};
}

template <class Step>
std::string result_of(const Step& step) {
  return step.out;
}
std::string result_of(const Compare&) { return {}; }

}  // namespace

const char* sort_name(ValueSort sort) {
  switch (sort) {
    case ValueSort::kMap:
      return "map";
    case ValueSort::kAlm:
      return "alm";
    case ValueSort::kSpectra:
      break;
  }
  return "spectra";
}

std::vector<Operand> operands(const Operation& operation) {
  return std::visit([](const auto& step) { return operands_of(step); }, operation);
}

std::string result_name(const Operation& operation) {
  return std::visit([](const auto& step) { return result_of(step); }, operation);
}

}  // namespace armilla::job
