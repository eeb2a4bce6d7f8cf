// The settings of the pipeline as arguments of the command line, so that a
// report shows what the editor shows.

export interface PipelineSettings {
  privateFunctionDynamicOwnership?: boolean;
  allowUnregisteredDialect?: boolean;
  unregistered?: string;
  bufferize?: boolean;
  bufferizeOptions?: string;
  pre?: string;
  passes?: string;
  refineDistinctObjects?: boolean;
}

/** The settings with which the pipeline is not MLIR's own, so that there is nothing to compare it with. */
export function settingsUnlikeUpstream(settings: PipelineSettings): string[] {
  const made: string[] = [];
  if (settings.passes) made.push('pipeline.passes');
  if (settings.refineDistinctObjects) made.push('pipeline.refineDistinctObjects');
  if (settings.unregistered && settings.unregistered !== 'reject') made.push('pipeline.unregistered');
  return made;
}

export function pipelineArguments(settings: PipelineSettings): string[] {
  const made: string[] = [];
  if (settings.privateFunctionDynamicOwnership) made.push('--private-function-dynamic-ownership');
  if (settings.allowUnregisteredDialect) made.push('--allow-unregistered-dialect');
  if (settings.unregistered && settings.unregistered !== 'reject') made.push(`--unregistered=${settings.unregistered}`);
  if (settings.bufferize) made.push(settings.bufferizeOptions ? `--bufferize=${settings.bufferizeOptions}` : '--bufferize');
  if (settings.pre) made.push(`--pre=${settings.pre}`);
  if (settings.passes) made.push(`--pipeline=${settings.passes}`);
  if (settings.refineDistinctObjects) made.push('--refine=distinct-objects');
  return made;
}
