// When a dead server is started again (up to four times in three minutes), and
// that the user is told once, not once a crash.

export const mostCrashes = 4;
export const crashWindow = 3 * 60 * 1000;

export class CrashPolicy {
  private times: number[] = [];
  private isShown = false;
  hasCrashed = false;

  crashed(now: number): { restart: boolean; tell: boolean } {
    this.hasCrashed = true;
    this.times = [...this.times.filter((time) => now - time < crashWindow), now];
    const restart = this.times.length <= mostCrashes;
    // That it stays off is worth a message even if one is still there.
    const tell = !this.isShown || !restart;
    this.isShown = true;
    return { restart, tell };
  }

  /** The message was answered or closed. */
  told(): void {
    this.isShown = false;
  }
}
