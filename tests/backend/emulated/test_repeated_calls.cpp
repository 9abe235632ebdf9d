// Stages whose calls are repeated: what is launched, and the bits of the results.
#include <armilla/backend/check_case.hpp>
#include <armilla/backend/cuda.hpp>
#include <armilla/backend/cuda/repeated_calls.hpp>
#include <armilla/core/error.hpp>

#include <complex>
#include <memory>
#include <vector>

#include "support/emulation.hpp"
#include <gtest/gtest.h>

namespace armilla::backend {
namespace {

template <class Number>
class Array {
 public:
  Array(Memory& memory, const std::vector<Number>& numbers) : memory_(memory), there_(memory.allocate(bytes(numbers))) {
    set(numbers);
  }
  void set(const std::vector<Number>& numbers) {
    size_ = numbers.size();
    memory_.from_host(there_.get(), numbers.data(), bytes(numbers));
  }
  std::vector<Number> fetched() const {
    std::vector<Number> numbers(size_);
    memory_.to_host(numbers.data(), there_.get(), bytes(numbers));
    return numbers;
  }
  Number* data() const { return static_cast<Number*>(there_.get()); }

 private:
  static Index bytes(const std::vector<Number>& numbers) { return static_cast<Index>(numbers.size() * sizeof(Number)); }

  Memory& memory_;
  std::size_t size_ = 0;
  std::shared_ptr<void> there_;
};

// Launches of a call, without the copy of factors.
template <class Call>
std::size_t launches(const Call& call) {
  const std::size_t before = kernels::emulation().launched;
  call();
  return kernels::emulation().launched - before;
}

template <class T>
void expect_repetition(CheckCase::Shape shape) {
  const CheckCase with(std::move(shape));
  const auto context = make_cuda_context<T>({});
  context->set_work(Index{1} << 28);
  const auto stages = context->make_stages({}, with.legendre_task(), with.ring_task(), with.ring_lengths(), {});
  Memory& memory = *context->memory();
  const auto of_alm = with.alm<T>();
  const auto other = with.delta<T>();
  const Array<std::complex<T>> alm(memory, of_alm);
  const Array<std::complex<T>> moved(memory, of_alm);
  Array<std::complex<T>> delta(memory, other);
  const Array<T> map(memory, with.map<T>());

  const auto down = [&](const auto& from) {
    return launches([&] { stages->legendre_synthesis(from.data(), delta.data(), {}); });
  };
  const auto to_map = [&] { return launches([&] { stages->rings_synthesis(delta.data(), {}, map.data()); }); };
  const std::size_t direct = down(alm), direct_rings = to_map();
  EXPECT_GT(direct, 1u);
  EXPECT_GT(direct_rings, 1u);
  const auto expected = delta.fetched();
  const auto expected_map = map.fetched();
  for (int repeated = 0; repeated < 2; ++repeated) {
    delta.set(other);
    EXPECT_EQ(down(alm), 1u);
    EXPECT_EQ(to_map(), 1u);
    EXPECT_EQ(delta.fetched(), expected);
    EXPECT_EQ(map.fetched(), expected_map);
  }
  // The same coefficients at another address.
  for (const std::size_t count : {direct, std::size_t{1}}) {
    delta.set(other);
    EXPECT_EQ(down(moved), count);
    EXPECT_EQ(delta.fetched(), expected);
  }
  // Other values at the same address.
  delta.set(other);
  EXPECT_EQ(to_map(), 1u);
  const auto of_other = map.fetched();
  const auto anew = context->make_stages({}, with.legendre_task(), with.ring_task(), with.ring_lengths(), {});
  anew->rings_synthesis(delta.data(), {}, map.data());
  EXPECT_EQ(of_other, map.fetched());
  EXPECT_NE(of_other, expected_map);

  // The transposes, with factors.
  std::vector<std::vector<std::complex<T>>> found;
  for (int repeated = 0; repeated < 3; ++repeated) {
    stages->rings_adjoint(map.data(), with.factor(), delta.data());
    stages->legendre_adjoint(delta.data(), alm.data(), {});
    found.push_back(alm.fetched());
  }
  EXPECT_EQ(found[1], found[0]);
  EXPECT_EQ(found[2], found[0]);
}

TEST(RepeatedCalls, GiveTheBitsOfTheFirst) {
  using enum ThetaResampling;
  expect_repetition<double>({"", healpix_pairs(16), 47, 0, 1, kOff});
  expect_repetition<double>({"", healpix_pairs(16), 47, 2, 2, kOn});
  expect_repetition<float>({"", gauss_pairs(48, 96), 47, 0, 8, kOff});
}

TEST(RepeatedCalls, AreExecutedDirectlyIfLarge) {
  const kernels::Stream stream;
  int count = 0;
  RepeatedCalls small(kMaxRecorded), large(kMaxRecorded + 1);
  for (int repeated = 0; repeated < 4; ++repeated) small.run({}, stream, [&] { ++count; });
  EXPECT_EQ(count, 2);  // the first, and the recorded one
  for (int repeated = 0; repeated < 4; ++repeated) large.run({}, stream, [&] { ++count; });
  EXPECT_EQ(count, 6);
}

TEST(RepeatedCalls, ForgetArraysThatDoNotComeAgain) {
  const kernels::Stream stream;
  RepeatedCalls calls(1);
  int count = 0;
  const std::vector<char> arrays(100);
  const auto call = [&](std::size_t i) { calls.run({0, {&arrays[i]}}, stream, [&] { ++count; }); };
  for (int repeated = 0; repeated < 3; ++repeated)
    for (std::size_t i = 0; i < arrays.size(); ++i) call(i);
  EXPECT_EQ(count, 300);
  for (int repeated = 0; repeated < 5; ++repeated) call(99);  // is still known
  EXPECT_EQ(count, 301);
}

TEST(RepeatedCalls, ReportThatWorkCannotBeRecorded) {
  const kernels::Stream stream;
  RepeatedCalls calls(1);
  const auto wait = [&] { stream.wait(); };
  calls.run({}, stream, wait);
  EXPECT_THROW(calls.run({}, stream, wait), core::ResourceError);
  EXPECT_NO_THROW(stream.wait());
}

}  // namespace
}  // namespace armilla::backend
