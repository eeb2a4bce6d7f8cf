// The settings of the pipeline as arguments of the command line, so that a
// report shows what the editor shows.

export interface PipelineSettings {
  privateFunctionDynamicOwnership?: boolean;
  allowUnregisteredDialect?: boolean;
  unregistered?: string;
  bufferize?: boolean;
  bufferizeOptions?: string;
  pre?: string;
}

export function pipelineArguments(settings: PipelineSettings): string[] {
  const made: string[] = [];
  if (settings.privateFunctionDynamicOwnership) made.push('--private-function-dynamic-ownership');
  if (settings.allowUnregisteredDialect) made.push('--allow-unregistered-dialect');
  if (settings.unregistered && settings.unregistered !== 'reject') made.push(`--unregistered=${settings.unregistered}`);
  if (settings.bufferize) made.push(settings.bufferizeOptions ? `--bufferize=${settings.bufferizeOptions}` : '--bufferize');
  if (settings.pre) made.push(`--pre=${settings.pre}`);
  return made;
}
