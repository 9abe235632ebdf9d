#include <armilla/core/error.hpp>

#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <kernels/core/arithmetic.hpp>
#include <kernels/core/graph.hpp>
#include <kernels/core/memory.hpp>
#include <kernels/core/stream.hpp>
#include <support/device.hpp>

namespace armilla::kernels {
namespace {

using Numbers = std::vector<double>;

Numbers fetched(const DeviceBuffer<double>& buffer, const Stream& stream) {
  Numbers numbers(static_cast<std::size_t>(buffer.size()));
  copy(numbers.data(), buffer.data(), buffer.size(), stream);
  stream.wait();
  return numbers;
}

TEST(Graph, RunsWithTheValuesOfEachLaunch) {
  ARMILLA_NEEDS_DEVICE();
  const Stream stream;
  DeviceBuffer<double> x = upload<double>(Numbers{1, 2, 3}, stream);
  DeviceBuffer<double> y = upload<double>(Numbers{10, 20, 30}, stream);
  const Graph graph(stream, [&] { Arithmetic<double>::multiply(x.data(), y.data(), 3, stream.get()); });
  EXPECT_EQ(fetched(y, stream), (Numbers{10, 20, 30}));  // recorded only
  graph.launch(stream);
  graph.launch(stream);
  EXPECT_EQ(fetched(y, stream), (Numbers{10, 80, 270}));
  copy(x.data(), Numbers{1, 0, 2}.data(), 3, stream);
  graph.launch(stream);
  EXPECT_EQ(fetched(y, stream), (Numbers{10, 0, 540}));
}

// x is multiplied in another stream before y is multiplied by it.
TEST(Graph, ContainsStreamsThatWaitForIt) {
  ARMILLA_NEEDS_DEVICE();
  const Stream stream, beside;
  DeviceBuffer<double> x = upload<double>(Numbers{1, 2, 3}, stream);
  DeviceBuffer<double> y = upload<double>(Numbers{10, 20, 30}, stream);
  DeviceBuffer<double> z = upload<double>(Numbers{2, 2, 3}, stream);
  Event forked, joined;
  const auto work = [&] {
    forked.record(stream);
    forked.hold(beside);
    Arithmetic<double>::multiply(z.data(), x.data(), 3, beside.get());
    joined.record(beside);
    joined.hold(stream);
    Arithmetic<double>::multiply(x.data(), y.data(), 3, stream.get());
  };
  const Graph graph(stream, work);
  graph.launch(stream);
  EXPECT_EQ(fetched(y, stream), (Numbers{20, 80, 270}));
  work();  // the streams and events can be used as before
  EXPECT_EQ(fetched(y, stream), (Numbers{80, 640, 7290}));
  graph.launch(stream);
  EXPECT_EQ(fetched(y, stream), (Numbers{640, 10240, 590490}));
}

template <class Work>
void expect_refusal(const Stream& stream, const Work& work) {
  EXPECT_THROW(Graph(stream, work), core::ResourceError);
  DeviceBuffer<double> y = upload<double>(Numbers{2}, stream);
  Arithmetic<double>::multiply(y.data(), y.data(), 1, stream.get());
  EXPECT_EQ(fetched(y, stream), Numbers{4});  // the stream can be used as before
}

TEST(Graph, IsNotRecordedIfItsWorkCannotBeRepeated) {
  ARMILLA_NEEDS_DEVICE();
  const Stream stream;
  expect_refusal(stream, [&] { stream.wait(); });
  expect_refusal(stream, [] { const DeviceBuffer<double> buffer(100); });
  const Stream beside;
  Event forked;
  expect_refusal(stream, [&] {
    forked.record(stream);
    forked.hold(beside);  // and is not waited for
  });
  EXPECT_THROW(Graph(stream, [] { throw core::InputError("of the work"); }), core::InputError);
}

}  // namespace
}  // namespace armilla::kernels
