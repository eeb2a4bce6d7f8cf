// Where the language server is: the setting, MLIR's own setting if that names
// one of ours, the one that came with this extension, PATH, the build folder of a
// checkout. Files and programs are reached through `World`, so that tests need
// none.

import * as path from 'node:path';

export const serverName = 'memref-lens-lsp-server';
export const cliName = 'memref-lens';
export const viewerName = 'memref-lens-viewer';

export interface World {
  isExecutable(file: string): boolean;
  /** What `file --version` prints; nothing if it cannot be run. */
  versionOf(file: string): Promise<string | undefined>;
}

export interface Wanted {
  /** `memrefLens.serverPath`. */
  setting: string;
  /** `mlir.server_path`. */
  mlirSetting: string;
  /** `PATH`. */
  searchPath: string;
  folders: readonly string[];
  /** The folder of this extension; its parent is a checkout in development. */
  extensionFolder: string;
}

export type Found =
  | { file: string; from: 'setting' | 'mlir.server_path' | 'this extension' | 'PATH' | 'build folder' }
  | { problem: string; setting?: string };

export function resolve(file: string, folders: readonly string[]): string {
  const home = process.env['HOME'] ?? '';
  const first = folders[0] ?? '';
  const full = file.replace(/^~(?=\/)/, home).replace(/\$\{workspaceFolder\}/g, first);
  return path.isAbsolute(full) ? full : path.join(first, full);
}

async function isOurs(file: string, world: World): Promise<boolean> {
  return world.isExecutable(file) && ((await world.versionOf(file)) ?? '').startsWith(serverName);
}

export function onPath(name: string, searchPath: string, world: World): string | undefined {
  return searchPath
    .split(path.delimiter)
    .filter((folder) => path.isAbsolute(folder))
    .map((folder) => path.join(folder, name))
    .find((file) => world.isExecutable(file));
}

/** Where a program is that came with the extension, in the package for a platform. */
export function bundled(name: string, extensionFolder: string): string {
  return path.join(extensionFolder, 'server', 'bin', name);
}

export async function findServer(wanted: Wanted, world: World): Promise<Found> {
  if (wanted.setting) {
    const file = resolve(wanted.setting, wanted.folders);
    if (!world.isExecutable(file))
      return { problem: `memrefLens.serverPath names no program: ${file}`, setting: 'memrefLens.serverPath' };
    if (!(await isOurs(file, world)))
      return { problem: `memrefLens.serverPath is not a ${serverName}: ${file}`, setting: 'memrefLens.serverPath' };
    return { file, from: 'setting' };
  }
  if (wanted.mlirSetting) {
    const file = resolve(wanted.mlirSetting, wanted.folders);
    if (await isOurs(file, world)) return { file, from: 'mlir.server_path' };
  }
  const own = bundled(serverName, wanted.extensionFolder);
  if (await isOurs(own, world)) return { file: own, from: 'this extension' };
  const installed = onPath(serverName, wanted.searchPath, world);
  if (installed && (await isOurs(installed, world))) return { file: installed, from: 'PATH' };
  const roots = [...wanted.folders, ...wanted.folders.map((folder) => path.dirname(folder)), path.dirname(wanted.extensionFolder)];
  for (const root of roots) {
    const file = path.join(root, 'build', 'bin', serverName);
    if (await isOurs(file, world)) return { file, from: 'build folder' };
  }
  return { problem: `${serverName} was not found; install it, or say where it is`, setting: 'memrefLens.serverPath' };
}

export interface ToolPlaces {
  /** `memrefLens.cliPath` or `memrefLens.viewerPath`. */
  setting: string;
  /** The server that runs; empty if there is none. */
  server: string;
  searchPath: string;
  extensionFolder: string;
}

/** A tool of ours: the setting, beside the server, what came with the extension, PATH. */
export function findTool(name: string, places: ToolPlaces, world: World): string | undefined {
  const { setting, server } = places;
  if (setting) return world.isExecutable(setting) ? setting : undefined;
  const near = [...(server ? [path.join(path.dirname(server), name)] : []), bundled(name, places.extensionFolder)];
  return near.find((file) => world.isExecutable(file)) ?? onPath(name, places.searchPath, world);
}
