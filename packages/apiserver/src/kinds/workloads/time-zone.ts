/**
 * True for a name of the time zone database. Its names are case-sensitive, those of the runtime's own list are not, so
 * a known name must also be written as names are: with capitals.
 */
export function isTimeZone(name: string): boolean {
  if (name === '' || name === 'UTC' || name === 'Local') return true;
  if (!/^[A-Z]/.test(name)) return false;
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions();
    if (timeZone.toLowerCase() === name.toLowerCase()) return timeZone === name;
    return name.split('/').every((part) => /^[A-Z0-9+-]/.test(part));
  } catch {
    return false;
  }
}
