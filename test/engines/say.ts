/** Prints lines with whatever the engine has. */

interface Host {
  /** Set by a driver that wants the lines itself: a page, an embedded engine. */
  followthroughSay?: (line: string) => void;
  print?: (line: string) => void;
  console?: { log: (line: string) => void };
}

/** Prints a line. Where there is `print` and no page, it is a shell's; a page's opens a dialogue. */
export function say(line: string): void {
  const host = globalThis as unknown as Host;
  if (host.followthroughSay !== undefined) host.followthroughSay(line);
  else if (typeof host.print === 'function') host.print(line);
  else host.console!.log(line);
}
