#include <armilla/grid/makers.hpp>
#include <armilla/transform/transform_cache.hpp>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "support/fields.hpp"
#include <gtest/gtest.h>
#include <mpi.h>

namespace armilla::transform {
namespace {

constexpr TransformBytes kPlenty{Index{1} << 30, 0};

FieldTransformSpec some_spec(const comm::Communicator& comm, Index lmax = 12, Index maps = 1) {
  FieldTransformSpec spec =
      test::make_spec(FieldKind::temperature_polarisation(), std::make_shared<grid::RingGrid>(grid::make_healpix(8)),
                      alm::AlmLayout(lmax, lmax), comm.size(), maps);
  spec.backend = backend::Kind::kCpu;
  return spec;
}

/// Collective. Whether all ranks have this value.
bool is_same_on_ranks(const comm::Communicator& comm, Index value) {
  Index most[2] = {value, -value};
  comm.max(std::span<Index>(most));
  return most[0] == -most[1];
}

template <class T>
struct Results {
  MapField<T> map;
  AlmField<T> adjoint, quadrature;
};

/// Collective. Results of all directions from random coefficients.
template <class T>
Results<T> results_of(FieldTransform<T>& transform) {
  const FieldTransformSpec& spec = transform.spec();
  const int rank = transform.comm().rank();
  AlmField<T> alm(spec.kind, spec.alm, rank, spec.maps);
  test::fill_noise(alm, 3);
  Results<T> results{{spec.kind, spec.pixels, rank, spec.maps},
                     {spec.kind, spec.alm, rank, spec.maps},
                     {spec.kind, spec.alm, rank, spec.maps}};
  test::poison(results.map);
  test::poison(results.adjoint);
  test::poison(results.quadrature);
  transform.synthesis(alm, results.map);
  transform.adjoint_synthesis(results.map, results.adjoint);
  transform.quadrature(results.map, results.quadrature);
  return results;
}

template <class T>
void expect_same_bits() {
  const auto comm = comm::Communicator::world();
  const FieldTransformSpec spec = some_spec(comm, 12, 2);
  FieldTransform<T> fresh(comm, spec);
  Results<T> expected = results_of(fresh);
  TransformCache cache(comm);
  cache.set_limit(kPlenty);
  Index bytes = 0;
  {
    const CachedTransform<T> first = cache.take<T>(spec, {.bytes_sent = &bytes});
    Results<T> spoilt = results_of(*first);
    test::poison(spoilt.map);
    test::poison(spoilt.quadrature);
    first->adjoint_synthesis(spoilt.map, spoilt.adjoint);
    first->synthesis(spoilt.quadrature, spoilt.map);
  }
  const Index before = bytes;
  Index bytes_of_second = 0;
  const CachedTransform<T> again = cache.take<T>(spec, {.bytes_sent = &bytes_of_second});
  EXPECT_EQ(cache.counts().reused, 1);
  const Results<T> found = results_of(*again);
  EXPECT_TRUE(std::ranges::equal(found.map.data(), std::as_const(expected.map).data()));
  EXPECT_TRUE(std::ranges::equal(found.adjoint.data(), std::as_const(expected.adjoint).data()));
  EXPECT_TRUE(std::ranges::equal(found.quadrature.data(), std::as_const(expected.quadrature).data()));
  EXPECT_EQ(bytes, before) << "the monitor of the first user is not called";
  EXPECT_EQ(bytes_of_second > 0, comm.size() > 1);
}

TEST(TransformCache, ResultsAreBitwiseEqualAfterReuse) {
  expect_same_bits<float>();
  expect_same_bits<double>();
}

TEST(TransformCache, ReusesWhatIsNotInUse) {
  const auto comm = comm::Communicator::world();
  TransformCache cache(comm);
  cache.set_limit(kPlenty);
  const FieldTransform<double>* first = nullptr;
  {
    const auto one = cache.take<double>(some_spec(comm));
    const auto other = cache.take<double>(some_spec(comm));
    first = &*one;
    EXPECT_NE(first, &*other) << "in use";
  }
  EXPECT_EQ(cache.counts().kept, 2);
  EXPECT_EQ(&*cache.take<double>(some_spec(comm)), first) << "a spec made again";
  static_cast<void>(cache.take<float>(some_spec(comm)));
  static_cast<void>(cache.take<double>(some_spec(comm, 13)));
  static_cast<void>(cache.take<double>(some_spec(comm, 12, 2)));
  const CacheCounts counts = cache.counts();
  EXPECT_EQ(counts.built, 5);
  EXPECT_EQ(counts.reused, 1);
  EXPECT_EQ(counts.kept, 5);
  cache.clear();
  EXPECT_EQ(cache.counts().kept, 0);
}

TEST(TransformCache, WithoutALimitNothingIsKept) {
  const auto comm = comm::Communicator::world();
  TransformCache cache(comm);
  static_cast<void>(cache.take<double>(some_spec(comm)));
  static_cast<void>(cache.take<double>(some_spec(comm)));
  EXPECT_EQ(cache.counts().built, 2);
  EXPECT_EQ(cache.counts().kept, 0);
  // Taken under another limit, its size is unknown.
  {
    const auto early = cache.take<double>(some_spec(comm));
    cache.set_limit(kPlenty);
  }
  EXPECT_EQ(cache.counts().kept, 0);
}

/// Collective. Memory of a transform on its largest rank.
Index bytes_of(const comm::Communicator& comm, const FieldTransformSpec& spec) {
  Index bytes = FieldTransform<double>::memory(spec, comm.rank()).peak();
  comm.max({&bytes, 1});
  return bytes;
}

TEST(TransformCache, DestroysTheLeastRecentlyUsed) {
  const auto comm = comm::Communicator::world();
  TransformCache cache(comm);
  const FieldTransformSpec a = some_spec(comm, 10), b = some_spec(comm, 11), c = some_spec(comm, 12);
  cache.set_limit({bytes_of(comm, a) + bytes_of(comm, b) + bytes_of(comm, c) - 1, 0});
  for (const auto& spec : {a, b, a}) static_cast<void>(cache.take<double>(spec));
  {
    const auto third = cache.take<double>(c);
    EXPECT_EQ(cache.counts().kept, 1) << "room is made before the construction";
  }
  EXPECT_TRUE(is_same_on_ranks(comm, cache.counts().kept));
  for (const auto& spec : {a, c}) static_cast<void>(cache.take<double>(spec));
  EXPECT_EQ(cache.counts().reused, 3);
  static_cast<void>(cache.take<double>(b));
  EXPECT_EQ(cache.counts().built, 4);
  cache.set_limit({bytes_of(comm, b), 0});
  EXPECT_EQ(cache.counts().kept, 1);
  static_cast<void>(cache.take<double>(b));
  EXPECT_EQ(cache.counts().reused, 4);
  // Larger than the limit alone.
  static_cast<void>(cache.take<double>(some_spec(comm, 12, 4)));
  EXPECT_EQ(cache.counts().kept, 0);
}

// As with garbage collection.
TEST(TransformCache, RanksMayReleaseInAnyOrder) {
  const auto comm = comm::Communicator::world();
  TransformCache cache(comm);
  cache.set_limit(kPlenty);
  std::optional<CachedTransform<double>> one(cache.take<double>(some_spec(comm)));
  std::optional<CachedTransform<double>> other(cache.take<double>(some_spec(comm)));
  if (comm.is_root()) one.reset();
  other.reset();
  one.reset();
  one.emplace(cache.take<double>(some_spec(comm)));
  EXPECT_EQ(cache.counts().reused, 1);
  static_cast<void>(results_of(**one));
  // Each rank keeps one of two transforms: no rank may take it alone.
  other.emplace(cache.take<double>(some_spec(comm)));
  (comm.is_root() ? one : other).reset();
  const auto third = cache.take<double>(some_spec(comm));
  EXPECT_EQ(cache.counts().built, comm.size() == 1 ? 2 : 3);
  static_cast<void>(results_of(*third));
}

TEST(TransformCache, TransformsInUseOutliveTheCache) {
  const auto comm = comm::Communicator::world();
  auto cache = std::make_unique<TransformCache>(comm::Communicator(comm));
  cache->set_limit(kPlenty);
  const auto kept = cache->take<double>(some_spec(comm));
  cache.reset();
  static_cast<void>(results_of(*kept));
}

TEST(TransformCache, CopiesOfACommunicatorShareOne) {
  const auto world = comm::Communicator::world();
  EXPECT_EQ(cache_of(world), cache_of(comm::Communicator::world()));
  EXPECT_NE(cache_of(world), nullptr);
  EXPECT_NE(cache_of(world), cache_of(comm::Communicator::self()));
  EXPECT_EQ(cache_of(world.split(0)), nullptr);
  MPI_Comm half = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, world.rank() % 2, world.rank(), &half);
  {
    const auto part = comm::Communicator::duplicate_of(half);
    cache_of(part)->set_limit(kPlenty);
    const auto used = cache_of(part)->take<double>(some_spec(part));
    static_cast<void>(cache_of(part)->take<double>(some_spec(part)));
    MPI_Comm_free(&half);  // destroys the second one
  }
  cache_of(comm::Communicator::self())->set_limit(kPlenty);
  static_cast<void>(cache_of(comm::Communicator::self())->take<double>(some_spec(comm::Communicator::self())));
}

}  // namespace
}  // namespace armilla::transform
