/** A stretch of time as kubectl's AGE column shows it: two figures at most, `<invalid>` for the future. */
export function humanDuration(ms: number): string {
  const seconds = Math.trunc(ms / 1000);
  // A clock a second ahead of ours is not worth an error.
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.trunc(seconds / 60);
  if (minutes < 10) return pair(minutes, 'ms', seconds % 60);
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.trunc(minutes / 60);
  if (hours < 8) return pair(hours, 'hm', minutes % 60);
  if (hours < 48) return `${hours}h`;
  const days = Math.trunc(hours / 24);
  if (days < 8) return pair(days, 'dh', hours % 24);
  if (days < 730) return `${days}d`;
  const years = Math.trunc(days / 365);
  return days < 2920 ? pair(years, 'yd', days % 365) : `${years}y`;
}

/** The older, one-figure form that some columns of kubectl still use. */
export function shortHumanDuration(ms: number): string {
  const seconds = Math.trunc(ms / 1000);
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.trunc(seconds / 60);
  if (minutes < 60) return `${minutes}m`;
  const hours = Math.trunc(minutes / 60);
  if (hours < 24) return `${hours}h`;
  const days = Math.trunc(hours / 24);
  return days < 365 ? `${days}d` : `${Math.trunc(days / 365)}y`;
}

/** `3m5s`, or `3m` when there is nothing of the smaller unit. */
function pair(big: number, units: 'ms' | 'hm' | 'dh' | 'yd', small: number): string {
  return small === 0 ? `${big}${units[0]}` : `${big}${units[0]}${small}${units[1]}`;
}
