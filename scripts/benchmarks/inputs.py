"""What the parts on memory, hovers, saved traces and cores measure: by name, as a
path. Nothing is made that no row asks for."""
import pathlib

from benchmarks.programs import layers, training

FUNCTIONS = {"6,800 lines": 200, "34,000 lines": 1000, "136,000 lines": 4000}
FEW = {"6,800 lines": 2, "34,000 lines": 3, "136,000 lines": 4}
GIANT = {"full": 5440, "quick": 1360, "tiny": 40}
# One function, as frameworks make of a model, and of a step of training.
REAL = {"a language model": "MODEL_deepseek_r1_decode_deallocs_stripped.mlir",
        "a real step of training": "TRAIN_mobilenetv2_reduced_train_step.mlir"}
STEP = "a step of training"


class Inputs:
    def __init__(self, options, folder):
        self.options, self.folder = options, pathlib.Path(folder)

    def path(self, name):
        """None where it is of a corpus that is not there."""
        scale = self.options.scale
        if name in REAL:
            path = pathlib.Path(self.options.corpus) / "real" / REAL[name]
            return path if path.is_file() else None
        path = self.folder / f"{name.split(' ')[0].replace(',', '')}.mlir"
        if not path.exists():
            counts = FEW if scale == "tiny" else FUNCTIONS
            path.write_text(training(GIANT[scale]) if name == STEP
                            else layers(counts[name]))
        return path

    def isThere(self, name, part, skipped):
        if self.path(name):
            return True
        skipped.append({"input": f"{part}: {name}", "failure": False,
                        "why": "its file is not in the corpus"})
        return False
