// ssim: structural similarity with Gaussian windows, one value per sample (Wang et al., 2004). A block computes a tile
// of windows of one channel. It sums the five moments (x, y, x^2, y^2, xy) along the rows, and then down the columns.
// First it subtracts a value of the tile from x, and one from y, which keeps variances exact where pictures are flat.
#include <cmath>

#include "kernels/kernels.hpp"
#include "kernels/node_kernel.hpp"
#include "kernels/sample_sums.cuh"

namespace sluice::cudnn {
namespace {

constexpr int kLargestWindow = 11;
constexpr double kDeviation = 1.5;
constexpr float kC1 = 0.01F * 0.01F;  // (K1 L)^2
constexpr float kC2 = 0.03F * 0.03F;  // (K2 L)^2
constexpr int kMoments = 5;

// Windows of a tile, and the elements that they reach.
constexpr int kTileWidth = 32;
constexpr int kTileHeight = 16;
constexpr int kReachWidth = kTileWidth + kLargestWindow - 1;
constexpr int kReachHeight = kTileHeight + kLargestWindow - 1;

struct Window {
    int size;
    float weights[kLargestWindow];  // of one axis; they sum to 1
};

struct Picture {
    int height;
    int width;
    int channels;
    int rows;     // of windows
    int columns;  // of windows
    int tiles_across;
    int tiles_down;
};

int window_of(const sluice_tensor_spec& image) {
    const auto fits = static_cast<int>(std::min<std::int64_t>({image.shape[1], image.shape[2], kLargestWindow}));
    return fits % 2 == 1 ? fits : fits - 1;
}

Window gaussian(int size) {
    Window window{.size = size, .weights = {}};
    double weights[kLargestWindow] = {};
    double sum = 0.0;
    for (int i = 0; i < size; ++i) {
        const double distance = i - size / 2;
        weights[i] = std::exp(-distance * distance / (2.0 * kDeviation * kDeviation));
        sum += weights[i];
    }
    for (int i = 0; i < size; ++i) {
        window.weights[i] = static_cast<float>(weights[i] / sum);
    }
    return window;
}

Picture picture_of(const sluice_tensor_spec& image, int window) {
    const auto height = static_cast<int>(image.shape[1]);
    const auto width = static_cast<int>(image.shape[2]);
    const int rows = height - window + 1;
    const int columns = width - window + 1;
    return {.height = height,
            .width = width,
            .channels = static_cast<int>(image.shape[3]),
            .rows = rows,
            .columns = columns,
            .tiles_across = (columns + kTileWidth - 1) / kTileWidth,
            .tiles_down = (rows + kTileHeight - 1) / kTileHeight};
}

// One tile: where it begins, and the values that are subtracted from its elements.
struct Tile {
    int row;
    int column;
    float shift_x;
    float shift_y;
};

// Returns the similarity of a window. m [kMoments]: the moments of x and y with the shifts subtracted.
__device__ float similarity(const Tile& tile, const float* m) {
    const float mean_x = m[0] + tile.shift_x;
    const float mean_y = m[1] + tile.shift_y;
    const float variances = (m[2] - m[0] * m[0]) + (m[3] - m[1] * m[1]);
    const float covariance = m[4] - m[0] * m[1];
    return (2.0F * mean_x * mean_y + kC1) * (2.0F * covariance + kC2) /
           ((mean_x * mean_x + mean_y * mean_y + kC1) * (variances + kC2));
}

// Loads the tile of one channel into to [kReachHeight, kReachWidth], with 0 outside the picture. from: [H, W, C], at
// the channel.
__device__ void load_tile(float* to, const float* from, const Picture& picture, const Tile& tile, float shift) {
    for (int i = static_cast<int>(threadIdx.x); i < kReachHeight * kReachWidth; i += static_cast<int>(kThreads)) {
        const int row = tile.row + i / kReachWidth;
        const int column = tile.column + i % kReachWidth;
        const bool is_inside = row < picture.height && column < picture.width;
        const std::int64_t place = std::int64_t{row} * picture.width + column;
        to[i] = is_inside ? from[place * picture.channels] - shift : 0.0F;
    }
}

// Sums along the rows into moments [kMoments, kReachHeight, kTileWidth].
__device__ void sum_rows(float* moments, const float* x, const float* y, const Window& window) {
    for (int i = static_cast<int>(threadIdx.x); i < kReachHeight * kTileWidth; i += static_cast<int>(kThreads)) {
        const int at = i / kTileWidth * kReachWidth + i % kTileWidth;
        float sums[kMoments] = {};
        for (int k = 0; k < window.size; ++k) {
            const float a = x[at + k];
            const float b = y[at + k];
            const float weighted_a = window.weights[k] * a;
            const float weighted_b = window.weights[k] * b;
            sums[0] += weighted_a;
            sums[1] += weighted_b;
            sums[2] += weighted_a * a;
            sums[3] += weighted_b * b;
            sums[4] += weighted_a * b;
        }
        for (int m = 0; m < kMoments; ++m) {
            moments[m * kReachHeight * kTileWidth + i] = sums[m];
        }
    }
}

// Sums the similarities of the windows that this thread finishes.
__device__ SumPair sum_windows(const float* moments, const Window& window, const Picture& picture, const Tile& tile) {
    SumPair mine{};
    for (int i = static_cast<int>(threadIdx.x); i < kTileHeight * kTileWidth; i += static_cast<int>(kThreads)) {
        float sums[kMoments] = {};
        for (int k = 0; k < window.size; ++k) {
            for (int m = 0; m < kMoments; ++m) {
                sums[m] += window.weights[k] * moments[(m * kReachHeight + k) * kTileWidth + i];
            }
        }
        if (tile.row + i / kTileWidth < picture.rows && tile.column + i % kTileWidth < picture.columns) {
            mine.sum += similarity(tile, sums);
            mine.weight += 1.0F;
        }
    }
    return mine;
}

// Writes the mean and 1 to out [N, 2].
struct WriteMean {
    __device__ void operator()(float* out, double sum, double weight) const {
        out[0] = static_cast<float>(sum / weight);
        out[1] = 1.0F;
    }
};

// x, y [N, H, W, C]; blockIdx.x = (sample * tiles + tile) * channels + channel
__global__ void ssim_kernel(const float* x, const float* y, Picture picture, Window window, std::int64_t pieces,
                            SumPair* partial, float* out) {
    __shared__ float tile_x[kReachHeight * kReachWidth];
    __shared__ float tile_y[kReachHeight * kReachWidth];
    __shared__ float moments[kMoments * kReachHeight * kTileWidth];
    const auto piece = static_cast<int>(blockIdx.x % pieces);
    const int at = piece / picture.channels;
    Tile tile{.row = at / picture.tiles_across * kTileHeight,
              .column = at % picture.tiles_across * kTileWidth,
              .shift_x = 0.0F,
              .shift_y = 0.0F};
    const std::int64_t pixels = std::int64_t{picture.height} * picture.width;
    const std::int64_t offset = blockIdx.x / pieces * pixels * picture.channels + piece % picture.channels;
    const std::int64_t corner = (std::int64_t{tile.row} * picture.width + tile.column) * picture.channels;
    tile.shift_x = x[offset + corner];
    tile.shift_y = y[offset + corner];
    load_tile(tile_x, x + offset, picture, tile, tile.shift_x);
    load_tile(tile_y, y + offset, picture, tile, tile.shift_y);
    __syncthreads();
    sum_rows(moments, tile_x, tile_y, window);
    __syncthreads();
    put_piece(sum_windows(moments, window, picture, tile), pieces, partial, out, WriteMean{});
}

class SsimKernel : public ForwardKernel {
public:
    SsimKernel(const sdk::Node& node, const sdk::KernelSink& sink)
        : samples_(node.inputs()[0].shape[0]),
          window_(gaussian(window_of(node.inputs()[0]))),
          picture_(picture_of(node.inputs()[0], window_.size)),
          pieces_(std::int64_t{picture_.tiles_across} * picture_.tiles_down * picture_.channels) {
        sink.workspace(partial_bytes(samples_, pieces_));
    }

    void forward(const sluice_launch& launched) override {
        auto* const partial = static_cast<SumPair*>(launched.workspace);
        float* const out = sdk::output<float>(launched, 0);
        launch(launched.stream, static_cast<unsigned>(samples_ * pieces_), kThreads, ssim_kernel,
               sdk::input<float>(launched, 0), sdk::input<float>(launched, 1), picture_, window_, pieces_, partial,
               out);
        add_pieces(launched.stream, partial, samples_, pieces_, out, WriteMean{});
    }

private:
    std::int64_t samples_;
    Window window_;
    Picture picture_;
    std::int64_t pieces_;  // tiles times channels, per sample
};

}  // namespace

KernelPtr make_ssim(const PlanContext& context) { return std::make_unique<SsimKernel>(context.node(), context.sink); }

}  // namespace sluice::cudnn
