// Construction and destruction of objects, with respect to MPI.
#include <armilla/armilla.hpp>
#include <armilla/transform/transform_cache.hpp>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <mpi.h>

namespace {

int communicators_made = 0;

}  // namespace

// Count the communicators that the program makes, through the profiling interface of MPI.
extern "C" int MPI_Comm_dup(MPI_Comm comm, MPI_Comm* copy) {
  ++communicators_made;
  return PMPI_Comm_dup(comm, copy);
}

extern "C" int MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm* part) {
  ++communicators_made;
  return PMPI_Comm_split_type(comm, type, key, info, part);
}

namespace armilla {
namespace {

const std::vector<double> kTheta{1.0, 2.0}, kPhi{0.5, -0.5};

struct Objects {
  explicit Objects(const Communicator& comm)
      : transform(comm, {.grid = make_gauss(6, 11), .lmax = 5, .backend = "cpu"}),
        points(comm, {.lmax = 5}, kTheta, kPhi),
        alm(points.make_alm()),
        map(transform.make_map()) {}
  // Collective.
  void use() {
    transform.synthesis(alm, map);
    transform.analysis(map, alm);
  }
  Transform<> transform;
  PointTransform<> points;
  Alm<> alm;
  Map<> map;
};

TEST(ObjectLifetime, ObjectsShareOneCommunicator) {
  const Communicator world = Communicator::world();
  Objects first(world);
  first.use();
  const int before = communicators_made;
  for (int i = 0; i < 20; ++i) {
    Objects objects(Communicator::world());
    objects.use();
    for (int field = 0; field < 250; ++field) {
      const Alm alm = objects.transform.make_alm();
      const Map map = objects.transform.make_map();
    }
  }
  EXPECT_EQ(communicators_made, before) << "10000 fields and 40 transforms";
  EXPECT_EQ(first.transform.comm().native(), world.native());
  EXPECT_EQ(first.points.comm().native(), world.native());
}

TEST(ObjectLifetime, RanksDestroyObjectsInAnyOrder) {
  const Communicator world = Communicator::world();
  std::vector<std::unique_ptr<Objects>> all;
  for (int i = 0; i < 5; ++i) all.push_back(std::make_unique<Objects>(world));
  Objects last(world);
  std::ranges::rotate(all, all.begin() + world.rank() % 5);
  for (int i = 0; i < 5; ++i) {
    if (world.rank() == 1)
      all.clear();
    else
      all.pop_back();
    last.use();  // in which a rank would wait for one that waits in a destructor
  }
  last = Objects(world);  // moves
  last.use();
}

TEST(ObjectLifetime, FieldsOutliveTheirTransform) {
  const Communicator world = Communicator::world();
  auto objects = std::make_unique<Objects>(world);
  if (world.is_root()) objects->alm.data()[0] = 1;
  Alm alm = std::move(objects->alm);
  objects.reset();
  EXPECT_EQ(spectra(alm).columns[0][0], 1);
}

TEST(ObjectLifetime, ClearCacheFreesKeptTransforms) {
  const Communicator world = Communicator::world();
  transform::TransformCache& cache = *transform::cache_of(world);
  // Jobs of other tests use the same cache.
  cache.clear();
  const transform::CacheCounts before = cache.counts();
  cache.set_limit({Index{1} << 30, 0});
  transform::FieldTransformSpec spec;
  spec.kind = FieldKind::scalar();
  spec.alm = std::make_shared<AlmDistribution>(AlmLayout(5, 5), world.size());
  spec.pixels = std::make_shared<PixelDistribution>(std::make_shared<RingGrid>(make_gauss(6, 11)), world.size());
  spec.backend = backend::Kind::kCpu;
  for (int i = 0; i < 3; ++i) {
    static_cast<void>(cache.take<double>(spec));
    EXPECT_EQ(cache.counts().kept, 1);
    if (i == 1) clear_cache(Communicator::world());
  }
  EXPECT_EQ(cache.counts().built - before.built, 2);
  EXPECT_EQ(cache.counts().reused - before.reused, 1);
  clear_cache(world.split(0));  // keeps none
  EXPECT_EQ(cache.counts().kept, 1);
  cache.set_limit({});
  EXPECT_EQ(cache.counts().kept, 0);
}

}  // namespace
}  // namespace armilla
