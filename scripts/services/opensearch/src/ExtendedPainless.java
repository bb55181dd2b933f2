import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.ServiceLoader;
import java.util.function.Supplier;
import org.opensearch.client.Client;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.common.io.stream.NamedWriteableRegistry;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.env.Environment;
import org.opensearch.env.NodeEnvironment;
import org.opensearch.painless.PainlessPlugin;
import org.opensearch.plugins.ExtensiblePlugin;
import org.opensearch.plugins.Plugin;
import org.opensearch.plugins.ScriptPlugin;
import org.opensearch.repositories.RepositoriesService;
import org.opensearch.script.ScriptContext;
import org.opensearch.script.ScriptEngine;
import org.opensearch.script.ScriptService;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.watcher.ResourceWatcherService;

/**
 * Painless with the functions of the other plugins. Plugins of the class path do not extend one another, so nobody would
 * hand it `cosineSimilarity` of the k-NN plugin; it is final, so this one stands before it.
 */
public final class ExtendedPainless extends Plugin implements ScriptPlugin {
  private final PainlessPlugin painless = new PainlessPlugin();

  public ExtendedPainless() {
    painless.loadExtensions(new ExtensiblePlugin.ExtensionLoader() {
      @Override
      public <T> List<T> loadExtensions(Class<T> type) {
        List<T> found = new ArrayList<>();
        ServiceLoader.load(type).forEach(found::add);
        return found;
      }
    });
  }

  @Override
  public ScriptEngine getScriptEngine(Settings settings, Collection<ScriptContext<?>> contexts) {
    return painless.getScriptEngine(settings, contexts);
  }

  @Override
  public List<Setting<?>> getSettings() {
    return painless.getSettings();
  }

  @Override
  public Collection<Object> createComponents(Client client, ClusterService cluster, ThreadPool threads,
      ResourceWatcherService watcher, ScriptService scripts, NamedXContentRegistry content, Environment environment,
      NodeEnvironment node, NamedWriteableRegistry writeables, IndexNameExpressionResolver names,
      Supplier<RepositoriesService> repositories) {
    return painless.createComponents(client, cluster, threads, watcher, scripts, content, environment, node, writeables,
        names, repositories);
  }
}
