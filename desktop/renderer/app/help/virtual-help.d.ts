/** Generated from docs/*.md by build/help-pages.ts. */
declare module 'virtual:help/*' {
  import type { HelpPage } from '#renderer/app/help/help-page.ts';

  const page: HelpPage;
  export default page;
}
