//===- passes/Options.h - what the passes' options are called -------------===//

#ifndef MEMREFLENS_PASSES_OPTIONS_H
#define MEMREFLENS_PASSES_OPTIONS_H

namespace memreflens::options {

inline constexpr const char *outParamsPass =
    "lens-external-results-to-out-params";
inline constexpr const char *fillConstantsPass = "lens-fill-constants";
inline constexpr const char *readsFirstPass = "lens-reads-first";
inline constexpr const char *yieldInPlacePass = "lens-yield-in-place";
inline constexpr const char *writableArgumentsPass = "lens-writable-arguments";
inline constexpr const char *unrollCrossedPass = "lens-unroll-crossed";
inline constexpr const char *sliceFromDestinationPass =
    "lens-slice-from-destination";
inline constexpr const char *destinationArgumentsPass =
    "lens-destination-arguments";
inline constexpr const char *readOnlyBuffersPass = "lens-read-only-buffers";
inline constexpr const char *copySharedPass = "lens-copy-shared";
inline constexpr const char *oneShotBufferizePass = "lens-one-shot-bufferize";
inline constexpr const char *idleDeallocsPass = "lens-idle-deallocs";
inline constexpr const char *idleName = "drop-idle-deallocs";
inline constexpr const char *idleHelp =
    "Remove deallocs that never deallocate; not upstream's";
inline constexpr const char *dynamicName = "private-function-dynamic-ownership";
inline constexpr const char *dynamicHelp =
    "Private functions return ownership indicators beside memrefs";
inline constexpr const char *refineName = "refine";
inline constexpr const char *refineHelp =
    "distinct-objects: use what memref.distinct_objects states; not upstream's";
inline constexpr const char *freshName = "assume-fresh-results";
inline constexpr const char *freshHelp =
    "External functions (* stands for any letters) whose memref results are "
    "buffers that nothing else points to; not upstream's";
inline constexpr const char *noCaptureName = "assume-no-capture";
inline constexpr const char *noCaptureHelp =
    "External functions (* stands for any letters) that keep no pointer to "
    "what they are passed; not upstream's";
inline constexpr const char *lateName = "late-free";
inline constexpr const char *lateHelp =
    "last-use: deallocate right after the last use, where that is proven to be "
    "the last; not upstream's";
inline constexpr const char *remarksName = "remarks";
inline constexpr const char *remarksHelp =
    "Remarks on each clone, run-time alias check and conditional dealloc, with "
    "its cause";

} // namespace memreflens::options

namespace memreflens {
void registerLastUsePass();
void registerExternalOutParamsPass();
void registerIdleDeallocsPass();
void registerFillConstantsPass();
void registerCopySharedPass();
void registerReadsFirstPass();
void registerYieldInPlacePass();
void registerWritableArgumentsPass();
void registerUnrollCrossedPass();
void registerReadOnlyBuffersPass();
void registerSliceFromDestinationPass();
void registerDestinationArgumentsPass();
void registerOneShotBufferizePass();
} // namespace memreflens

#endif // MEMREFLENS_PASSES_OPTIONS_H
