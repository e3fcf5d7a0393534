#include "run/pretrained/pretrained.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>

#include "base/error.hpp"
#include "base/text/counted.hpp"

namespace sluice::run {
namespace {

// A message lists no more tensors of one kind.
constexpr std::size_t kMostLines = 20;

// torch.save writes ZIP archives of pickles, and wrote plain pickles before. Loading a pickle runs its code.
bool is_pickle(const std::filesystem::path& path) {
    std::array<char, 4> begin{};
    std::ifstream(path, std::ios::binary).read(begin.data(), begin.size());
    const std::string_view text(begin.data(), begin.size());
    const std::string kind = path.extension().string();
    const bool has_name = kind == ".pth" || kind == ".pt" || kind == ".ckpt" || kind == ".bin";
    return text.starts_with("\x80") || (text.starts_with("PK") && has_name);
}

void refuse_pickles(const std::filesystem::path& path) {
    if (is_pickle(path)) {
        const std::string stem = (path.parent_path() / path.stem()).string();
        throw Error(Exit::config,
                    fmt::format("{}: a file of torch.save, which runs code when it is loaded. Convert it in Python:\n"
                                "  import torch, safetensors.torch\n"
                                "  safetensors.torch.save_file(torch.load('{}', weights_only=True), '{}.safetensors')",
                                path.string(), path.string(), stem));
    }
}

// The first names of a list, for a message.
std::string some_names(const std::vector<std::string>& names) {
    constexpr std::size_t kMost = 3;
    std::string text;
    for (std::size_t i = 0; i < std::min(names.size(), kMost); ++i) {
        text += fmt::format("{}'{}'", i > 0 ? ", " : "", names[i]);
    }
    return text + (names.size() > kMost ? ", ..." : "");
}

[[noreturn]] void refuse_all(const PretrainedWeights& weights) {
    std::vector<std::string> wanted;
    for (const TensorMatch& match : weights.matches.tensors) {
        wanted.push_back(match.wanted);
    }
    throw Error(Exit::config, fmt::format("{}: none of its {} fits the network: it has {}; the network needs {}",
                                          weights.path.string(), counted(weights.file.tensors.size(), "tensor"),
                                          some_names(weights.matches.unexpected), some_names(wanted)));
}

// Tensors of one kind, each in a line.
class Lines {
public:
    explicit Lines(const char* title) : title_(title) {}
    void add(const std::string& line) {
        if (++count_ <= kMostLines) {
            text_ += "\n    " + line;
        }
    }
    [[nodiscard]] std::string text() const {
        return count_ == 0
                   ? std::string()
                   : fmt::format("\n  {} {}{}{}", count_, title_, text_,
                                 count_ > kMostLines ? fmt::format("\n    and {} more", count_ - kMostLines) : "");
    }

private:
    const char* title_;
    std::size_t count_ = 0;
    std::string text_;
};

}  // namespace

std::unique_ptr<const PretrainedWeights> read_pretrained(const std::filesystem::path& path,
                                                         const config::ModelSpec& model, const plan::Graph& graph) {
    refuse_pickles(path);
    auto weights = std::make_unique<PretrainedWeights>();
    weights->path = path;
    weights->file = read_safetensors(path);
    weights->own = own_tensors(graph);
    weights->matches = match_tensors(weights->own, weights->file, model.names);
    if (weights->matches.loaded() == 0) {
        refuse_all(*weights);
    }
    for (const TensorMatch& match : weights->matches.tensors) {
        if (match.theirs != nullptr && !match.values && !match.own->is_of_head) {
            throw Error(Exit::config, fmt::format("{}: tensor '{}' is {}, which does not fit '{}' of the network, {}",
                                                  path.string(), match.wanted, to_string(match.theirs->spec),
                                                  match.own->name, to_string(match.own->spec)));
        }
    }
    return weights;
}

void load_pretrained(const PretrainedWeights& weights, Replica& replica) {
    const NetworkRunner& runner = replica.runner();
    Weights& own = replica.network().weights();
    for (const WeightTensor& tensor : own.tensors()) {
        const auto match = std::ranges::find(weights.matches.tensors, tensor.name,
                                             [](const TensorMatch& one) { return one.own->name; });
        if (match != weights.matches.tensors.end() && match->values) {
            runner.device()->copy(tensor.data, match->values->data(), match->values->size() * sizeof(float),
                                  runner.stream());
        }
    }
    runner.wait();
    own.restart_average(runner.stream());
    own.mark_changed();
}

std::string pretrained_text(const PretrainedWeights& weights) {
    Lines missing("not in the file, initialised anew:");
    Lines reshaped("of another shape in the file, initialised anew:");
    for (const TensorMatch& match : weights.matches.tensors) {
        if (match.theirs == nullptr) {
            missing.add(fmt::format("{}, sought as '{}'", match.own->name, match.wanted));
        } else if (!match.values) {
            reshaped.add(fmt::format("{}: {} in the file, {} in the network", match.own->name,
                                     to_string(match.theirs->spec), to_string(match.own->spec)));
        }
    }
    Lines unused("in the file, but not in the network:");
    for (const std::string& name : weights.matches.unexpected) {
        unused.add(name);
    }
    return fmt::format("{} of {} come from {} (names of {}){}{}{}", weights.matches.loaded(),
                       counted(weights.own.size(), "tensor"), weights.path.string(), weights.matches.naming,
                       missing.text(), reshaped.text(), unused.text());
}

}  // namespace sluice::run
