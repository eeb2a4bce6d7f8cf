// The settings of the pipeline as arguments of the command line, so that a
// report shows what the editor shows.

import { resolve } from './serverPath';

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

export interface Plugins {
  dialects: string[];
  passes: string[];
}

/** Libraries as arguments of the server, the command line and the viewer. A
 *  path that is not absolute is one of the first folder. */
export function pluginArguments(plugins: Plugins, folders: readonly string[]): string[] {
  const named = (list: string[], flag: string) =>
    list.filter((one) => typeof one === 'string' && one !== '').map((one) => `${flag}=${resolve(one, folders)}`);
  return [...named(plugins.dialects, '--load-dialect-plugin'), ...named(plugins.passes, '--load-pass-plugin')];
}
