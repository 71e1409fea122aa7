import { usePluginPagesQuery } from '#renderer/features/plugins/use-plugin-pages.ts';
import { t } from '#renderer/language/translate.ts';
import { FetchFailure } from '#renderer/ui/FetchFailure.tsx';
import { useProfileQuery } from './profile.ts';

/**
 * Shown on every page if data that all pages depend on could not be fetched. Otherwise pages and buttons would be
 * missing without explanation.
 */
export const FrameFailures = () => (
  <>
    <FetchFailure
      query={useProfileQuery()}
      text={t('Your rights could not be loaded, so some pages and buttons are missing.')}
    />
    <FetchFailure query={usePluginPagesQuery()} text={t('The pages of other programs could not be loaded.')} />
  </>
);
