/** Values that documentation prints for everybody. They open nothing, and replacing them would make such pages unreadable. */
const parts: readonly (readonly string[])[] = [
  ['AKIA', 'IOSFODNN7', 'EXAMPLE'],
  ['ASIA', 'IOSFODNN7', 'EXAMPLE'],
  ['AKIA', 'I44QH8DHB', 'EXAMPLE'],
  ['wJalrXUtnFEMI', '/K7MDENG/', 'bPxRfiCYEXAMPLEKEY'],
  ['je7MtGbClwBF', '/2Zp9Utk/', 'h3yCo8nvbEXAMPLEKEY'],
  // The token that jwt.io shows.
  [
    'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9',
    '.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ',
    '.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c',
  ],
  // RFC 6749 and 6750.
  ['czZCaGRSa3F0', 'MzpnWDFmQmF0M2JW'],
  ['2YotnFZFEjr1', 'zCsicMWpAA'],
  ['tGzv3JOkF0XG', '5Qx2TlKWIA'],
  ['mF_9.B5f', '-4.1JqM'],
  // A draft of RFC 6749, and OpenID Connect.
  ['h480dj', 's93hd8'],
  ['SlAV3', '2hkKG'],
  // RFC 7617: Aladdin and his open sesame.
  ['QWxhZGRpbjpv', 'cGVuIHNlc2FtZQ=='],
  ['QWxhZGRpbjpv', 'cGVuc2VzYW1l'],
];

const examples: ReadonlySet<string> = new Set(parts.map((pieces) => pieces.join('')));

export function isPublishedExample(secret: string): boolean {
  return examples.has(secret);
}
