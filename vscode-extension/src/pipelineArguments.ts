// The settings of the pipeline as arguments of the command line, so that a
// report shows what the editor shows.

import { resolve } from './serverPath';

export interface PipelineSettings {
  privateFunctionDynamicOwnership?: boolean;
  allowUnregisteredDialect?: boolean;
  bufferize?: boolean;
  bufferizeOptions?: string;
  pre?: string;
}

export function pipelineArguments(settings: PipelineSettings): string[] {
  const made: string[] = [];
  if (settings.privateFunctionDynamicOwnership) made.push('--private-function-dynamic-ownership');
  if (settings.allowUnregisteredDialect) made.push('--allow-unregistered-dialect');
  if (settings.bufferize) made.push(settings.bufferizeOptions ? `--bufferize=${settings.bufferizeOptions}` : '--bufferize');
  if (settings.pre) made.push(`--pre=${settings.pre}`);
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
