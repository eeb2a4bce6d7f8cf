// Addresses of the read-only documents that hold the program after a stage:
// memref-lens:/<function>.<stage>-<name>.mlir?<what is asked for>

export const scheme = 'memref-lens';

export interface StageAddress {
  uri: string;
  function: string;
  stage: number;
  /** For the tab's title. */
  name: string;
}

/** Of the program between the steps of one-shot-bufferize, which is no pass's stage. */
export const tensorCopies = -2;

/** "3 ownership-based-buffer-deallocation"; without a number where it is no pass's stage. */
export function labelOf(stage: number, name: string): string {
  return stage < 0 ? name : `${stage} ${name}`;
}

export function pathOf({ function: of, stage, name }: StageAddress): string {
  return `/${of.replace(/[^\w.-]/g, '_')}.${labelOf(stage, name).replace(' ', '-')}.mlir`;
}

export function queryOf(address: StageAddress): string {
  return JSON.stringify([address.uri, address.function, address.stage, address.name]);
}

export function addressOf(query: string): StageAddress | undefined {
  try {
    const [uri, name, stage, title] = JSON.parse(query) as unknown[];
    if (typeof uri !== 'string' || typeof name !== 'string' || typeof stage !== 'number' || typeof title !== 'string') return undefined;
    return { uri, function: name, stage, name: title };
  } catch {
    return undefined;
  }
}

/** The stage that changed last at or before `stage`, and the next after it. */
export function changeNear(stages: readonly { number: number; changed: boolean }[], stage: number, direction: 1 | -1): number | undefined {
  const changing = stages.filter((one) => one.changed && one.number > 0).map((one) => one.number);
  return direction > 0 ? changing.find((one) => one > stage) : changing.reverse().find((one) => one < stage);
}
