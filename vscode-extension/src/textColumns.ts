// Columns of the command line count bytes, those of VS Code UTF-16 code units.

/** Columns of sentences and of the command line count bytes of UTF-8, from 1;
 *  the character there, from 0. */
export function characterOf(line: string, column: number): number {
  return Buffer.from(line, 'utf8').subarray(0, Math.max(0, column - 1)).toString('utf8').length;
}

/** The byte column, from 1, of a character, from 0. */
export function columnOf(line: string, character: number): number {
  return Buffer.byteLength(line.slice(0, character), 'utf8') + 1;
}
