/**
 * Markdown that agents wrote, as markup that can do nothing. What they wrote as HTML is shown as they wrote it; pictures are shown as the
 * words that ask for them, so that nothing is fetched; a link leads to http or https, says nothing of where it was followed from, and has
 * no other attribute.
 */
import DOMPurify from 'dompurify';
import { Marked, type Tokens } from 'marked';

const tags = [
  'p',
  'br',
  'em',
  'strong',
  'del',
  'code',
  'pre',
  'ul',
  'ol',
  'li',
  'blockquote',
  'table',
  'thead',
  'tbody',
  'tr',
  'th',
  'td',
  'hr',
  'a',
];

const marked = new Marked({
  gfm: true,
  async: false,
  renderer: {
    html: ({ text }: Tokens.HTML | Tokens.Tag) => escaped(text),
    image: ({ raw }: Tokens.Image) => escaped(raw),
    checkbox: ({ checked }: Tokens.Checkbox) => (checked ? '[x] ' : '[ ] '),
    // The page has headings of its own, and a text in it has none.
    heading({ tokens }: Tokens.Heading) {
      return `<p><strong>${this.parser.parseInline(tokens)}</strong></p>`;
    },
  },
});

DOMPurify.addHook('afterSanitizeAttributes', (node) => {
  if (node.nodeName === 'A' && node.hasAttribute('href')) node.setAttribute('rel', 'noreferrer');
});

export function cleanMarkup(text: string): string {
  const clean = DOMPurify.sanitize(marked.parse(text) as string, {
    ALLOWED_TAGS: tags,
    ALLOWED_ATTR: ['href'],
    ALLOWED_URI_REGEXP: /^https?:/i,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    RETURN_TRUSTED_TYPE: true,
  });
  // Trusted by the browser; to Preact it is markup like any other.
  return clean as unknown as string;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
