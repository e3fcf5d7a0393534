// The messages of TensorBoard's event files. Numbers of fields are those of tensorflow's event.proto, summary.proto,
// tensor.proto and of the hparams plugin's plugin_data.proto.
#include "tensorboard/event_messages.hpp"

#include <protozero/pbf_reader.hpp>
#include <protozero/pbf_writer.hpp>

namespace sluice::observers::tensorboard {
namespace {

using protozero::pbf_writer;

namespace field {
// Event
constexpr std::uint32_t kWallTime = 1;
constexpr std::uint32_t kStep = 2;
constexpr std::uint32_t kFileVersion = 3;
constexpr std::uint32_t kSummary = 5;
constexpr std::uint32_t kSessionLog = 7;
// Summary
constexpr std::uint32_t kValue = 1;
// Summary.Value
constexpr std::uint32_t kTag = 1;
constexpr std::uint32_t kSimpleValue = 2;
constexpr std::uint32_t kImage = 4;
constexpr std::uint32_t kTensor = 8;
constexpr std::uint32_t kMetadata = 9;
}  // namespace field

constexpr std::int32_t kClassTensor = 2;  // DataClass
constexpr std::int32_t kFloat = 1;        // DataType
constexpr std::int32_t kDouble = 2;
constexpr std::int32_t kString = 7;

void add_moment(pbf_writer& event, const Moment& moment) {
    event.add_double(field::kWallTime, moment.wall_time);
    event.add_int64(field::kStep, moment.step);
}

// Returns an event whose summary `fill` writes.
template <class Fill>
std::string summary_event(const Moment& moment, const Fill& fill) {
    std::string message;
    pbf_writer event(message);
    add_moment(event, moment);
    {
        pbf_writer summary(event, field::kSummary);
        fill(summary);
    }
    return message;
}

// Adds SummaryMetadata, by which TensorBoard finds the plugin that shows the tag.
void add_metadata(pbf_writer& value, const std::string& plugin, const std::string& content) {
    pbf_writer metadata(value, field::kMetadata);
    {
        pbf_writer plugin_data(metadata, 1);
        plugin_data.add_string(1, plugin);
        plugin_data.add_bytes(2, content);
    }
    metadata.add_enum(4, kClassTensor);
}

void add_shape(pbf_writer& tensor, const std::vector<std::int64_t>& sizes) {
    pbf_writer shape(tensor, 2);
    for (const std::int64_t size : sizes) {
        pbf_writer dimension(shape, 2);
        dimension.add_int64(1, size);
    }
}

// Adds google.protobuf.Value.
void add_parameter(pbf_writer& entry, const nlohmann::ordered_json& parameter) {
    pbf_writer value(entry, 2);
    if (parameter.is_boolean()) {
        value.add_bool(4, parameter.get<bool>());
    } else if (parameter.is_number()) {
        value.add_double(2, parameter.get<double>());
    } else {
        value.add_string(3, parameter.is_string() ? parameter.get<std::string>() : parameter.dump());
    }
}

// content: an encoded HParamsPluginData, in which field 1, the version, is 0 and so left out.
std::string session_message(const Moment& moment, std::string_view tag, const std::string& content) {
    return summary_event(moment, [&](pbf_writer& summary) {
        pbf_writer value(summary, field::kValue);
        value.add_string(field::kTag, tag.data(), tag.size());
        {
            pbf_writer tensor(value, field::kTensor);
            tensor.add_enum(1, kFloat);
            add_shape(tensor, {0});
        }
        add_metadata(value, "hparams", content);
    });
}

}  // namespace

std::string version_message(double wall_time) {
    std::string message;
    pbf_writer event(message);
    event.add_double(field::kWallTime, wall_time);
    event.add_string(field::kFileVersion, "brain.Event:2");
    return message;
}

std::string restart_message(const Moment& moment) {
    constexpr std::int32_t kStart = 1;
    std::string message;
    pbf_writer event(message);
    add_moment(event, moment);
    pbf_writer session(event, field::kSessionLog);
    session.add_enum(1, kStart);
    session.commit();
    return message;
}

std::string scalars_message(const Moment& moment, const std::vector<SeriesValue>& values) {
    return summary_event(moment, [&](pbf_writer& summary) {
        for (const SeriesValue& one : values) {
            pbf_writer value(summary, field::kValue);
            value.add_string(field::kTag, one.name);
            value.add_float(field::kSimpleValue, static_cast<float>(one.value));
        }
    });
}

std::string picture_message(const Moment& moment, const std::string& tag, const Picture& picture) {
    constexpr std::int64_t kRgb = 3;
    return summary_event(moment, [&](pbf_writer& summary) {
        pbf_writer value(summary, field::kValue);
        value.add_string(field::kTag, tag);
        pbf_writer image(value, field::kImage);
        image.add_int64(1, picture.height);
        image.add_int64(2, picture.width);
        image.add_int64(3, kRgb);
        image.add_bytes(4, picture.png);
    });
}

std::string text_message(const Moment& moment, const std::vector<Text>& texts) {
    return summary_event(moment, [&](pbf_writer& summary) {
        for (const Text& text : texts) {
            pbf_writer value(summary, field::kValue);
            value.add_string(field::kTag, text.tag);
            {
                pbf_writer tensor(value, field::kTensor);
                tensor.add_enum(1, kString);
                add_shape(tensor, {});
                tensor.add_bytes(8, text.markdown);
            }
            add_metadata(value, "text", "");
        }
    });
}

std::string histograms_message(const Moment& moment, const std::vector<Histogram>& histograms) {
    return summary_event(moment, [&](pbf_writer& summary) {
        for (const Histogram& histogram : histograms) {
            pbf_writer value(summary, field::kValue);
            value.add_string(field::kTag, histogram.tag);
            {
                pbf_writer tensor(value, field::kTensor);
                tensor.add_enum(1, kDouble);
                add_shape(tensor, {static_cast<std::int64_t>(histogram.buckets.size()), 3});
                tensor.add_bytes(4, reinterpret_cast<const char*>(histogram.buckets.data()),
                                 histogram.buckets.size() * sizeof(Bucket));
            }
            add_metadata(value, "histograms", "");
        }
    });
}

std::string session_start_message(const Moment& moment, const HyperParameters& parameters) {
    std::string content;
    {
        pbf_writer data(content);
        pbf_writer info(data, 3);
        for (const auto& [name, parameter] : parameters) {
            pbf_writer entry(info, 1);
            entry.add_string(1, name);
            add_parameter(entry, parameter);
        }
        info.add_double(5, moment.wall_time);
    }
    return session_message(moment, "_hparams_/session_start_info", content);
}

std::string session_end_message(const Moment& moment, SessionStatus status) {
    std::string content;
    {
        pbf_writer data(content);
        pbf_writer info(data, 4);
        info.add_enum(1, static_cast<std::int32_t>(status));
        info.add_double(2, moment.wall_time);
    }
    return session_message(moment, kSessionEnd, content);
}

MessageFacts facts_of(std::string_view message) {
    MessageFacts facts;
    protozero::pbf_reader event(message.data(), message.size());
    while (event.next()) {
        switch (event.tag_and_type()) {
            case tag_and_type(field::kStep, protozero::pbf_wire_type::varint):
                facts.step = event.get_int64();
                break;
            case tag_and_type(field::kSummary, protozero::pbf_wire_type::length_delimited):
                for (protozero::pbf_reader summary = event.get_message(); summary.next(field::kValue);) {
                    protozero::pbf_reader value = summary.get_message();
                    facts.is_session_end =
                        value.next(field::kTag) &&
                        value.get_view() == protozero::data_view(kSessionEnd.data(), kSessionEnd.size());
                }
                break;
            default:
                event.skip();
        }
    }
    return facts;
}

}  // namespace sluice::observers::tensorboard
