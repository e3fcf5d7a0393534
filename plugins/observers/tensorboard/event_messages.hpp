// The messages of TensorBoard's event files, encoded as protocol buffers: tensorflow.Event and what it holds.
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "series/mean_series.hpp"

namespace sluice::observers::tensorboard {

struct Moment {
    double wall_time = 0.0;  // seconds since 1970
    std::int64_t step = 0;
};

// The first message of each file.
std::string version_message(double wall_time);
// Lets readers drop what they have read of later steps, and of this one.
std::string restart_message(const Moment& moment);

std::string scalars_message(const Moment& moment, const std::vector<SeriesValue>& values);

struct Picture {
    std::int64_t width;
    std::int64_t height;
    std::string png;
};
std::string picture_message(const Moment& moment, const std::string& tag, const Picture& picture);

struct Text {
    std::string tag;
    std::string markdown;
};
std::string text_message(const Moment& moment, const std::vector<Text>& texts);

// Left edge, right edge and count.
using Bucket = std::array<double, 3>;
struct Histogram {
    std::string tag;
    std::vector<Bucket> buckets;
};
std::string histograms_message(const Moment& moment, const std::vector<Histogram>& histograms);

using HyperParameters = std::vector<std::pair<std::string, nlohmann::ordered_json>>;
std::string session_start_message(const Moment& moment, const HyperParameters& parameters);

enum class SessionStatus : std::int32_t { unknown = 0, success = 1, failure = 2 };
inline constexpr std::string_view kSessionEnd = "_hparams_/session_end_info";
std::string session_end_message(const Moment& moment, SessionStatus status);

// A resume has to know this of a message.
struct MessageFacts {
    std::int64_t step = 0;
    bool is_session_end = false;
};
// Throws protozero::exception if the message is damaged.
MessageFacts facts_of(std::string_view message);

}  // namespace sluice::observers::tensorboard
