// The steps of a finding's path, out of its related information: the server
// numbers them, 1/3 to 3/3, behind the facts.

const numbered = /^(\d+)\/(\d+) /;

export interface Related {
  message: string;
}

export function stepsOf<T extends Related>(related: readonly T[] | undefined): T[] {
  return (related ?? []).filter((one) => numbered.test(one.message));
}

/** Where a walk goes; it stays at its ends. -1: before the first step. */
export function stepAfter(at: number, count: number, delta: number): number {
  if (at < 0) return delta > 0 ? 0 : count - 1;
  return Math.min(count - 1, Math.max(0, at + delta));
}

/** A rule as the server writes it, and nothing that leads out of a folder. */
export function pageOfRule(code: unknown): string | undefined {
  return typeof code === 'string' && /^[a-z][a-z-]*$/.test(code) ? `${code}.md` : undefined;
}
