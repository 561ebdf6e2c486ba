/** Why the certificate of a server is not trusted here, in the words of the system; undefined where something else is wrong. Nothing was sent then. */
export function certificateFault(error: unknown): string | undefined {
  const { code = '', message = '' } = (error ?? {}) as { readonly code?: unknown; readonly message?: string };
  if (!/CERT|^UNABLE_TO_|^HOSTNAME_MISMATCH$/.test(String(code))) return undefined;
  // What follows is for who starts Node.
  return message.replace(/;.*$/s, '').replace(/:?\s*$/, '');
}
