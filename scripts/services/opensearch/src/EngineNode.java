import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.opensearch.analysis.common.CommonAnalysisPlugin;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.common.transport.BoundTransportAddress;
import org.opensearch.env.Environment;
import org.opensearch.http.HttpServerTransport;
import org.opensearch.knn.plugin.KNNPlugin;
import org.opensearch.node.InternalSettingsPreparer;
import org.opensearch.node.Node;
import org.opensearch.plugins.Plugin;
import org.opensearch.transport.Netty4Plugin;
import org.opensearch.transport.TransportService;

/**
 * One real OpenSearch node in this JVM. Every argument is a setting, "key=value"; a comma makes a list.
 * Prints "TRANSPORT port" as soon as other nodes can reach it, and "HTTP port" when it answers.
 * With the argument "--watch-stdin" it ends when its standard input does, so that it never outlives whoever started it.
 */
public final class EngineNode {
  /** A node with its plugins on the class path: no installer, no security manager, no bootstrap checks. */
  private static final class ClassPathNode extends Node {
    ClassPathNode(Environment environment, Collection<Class<? extends Plugin>> plugins) {
      super(environment, plugins, true);
    }
  }

  private static final long POLL_MILLIS = 20;

  public static void main(String[] arguments) throws Exception {
    Settings settings = read(arguments);
    Path config = Path.of(settings.get("path.home"), "config");
    Environment environment =
        InternalSettingsPreparer.prepareEnvironment(settings, Map.of(), config, () -> settings.get("node.name"));
    List<Class<? extends Plugin>> plugins = new ArrayList<>(
        List.of(Netty4Plugin.class, ExtendedPainless.class, CommonAnalysisPlugin.class, KNNPlugin.class));
    Node node = new ClassPathNode(environment, plugins);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> close(node)));
    if (Arrays.asList(arguments).contains("--watch-stdin")) daemon(EngineNode::endWithStdin);
    // A node of a cluster finishes starting only when it has found the others, and they must know its port before.
    daemon(() -> printTransportPort(node.injector().getInstance(TransportService.class)));
    node.start();
    print("HTTP " + node.injector().getInstance(HttpServerTransport.class).boundAddress().publishAddress().getPort());
    Thread.currentThread().join();
  }

  private static Settings read(String[] arguments) {
    Settings.Builder settings = Settings.builder();
    for (String argument : arguments) {
      int equals = argument.indexOf('=');
      if (equals < 0) continue;
      String key = argument.substring(0, equals);
      String value = argument.substring(equals + 1);
      if (value.contains(",")) settings.putList(key, value.split(","));
      else settings.put(key, value);
    }
    return settings.build();
  }

  private static void printTransportPort(TransportService transport) {
    BoundTransportAddress bound = null;
    while (bound == null) {
      try {
        Thread.sleep(POLL_MILLIS);
      } catch (InterruptedException interrupted) {
        return;
      }
      bound = transport.boundAddress();
    }
    print("TRANSPORT " + bound.publishAddress().getPort());
  }

  private static void endWithStdin() {
    try {
      while (System.in.read() >= 0) {}
    } catch (IOException closed) {
      // As good as its end.
    }
    Runtime.getRuntime().halt(0);
  }

  private static void close(Node node) {
    try {
      node.close();
    } catch (IOException failed) {
      failed.printStackTrace();
    }
  }

  private static void daemon(Runnable task) {
    Thread thread = new Thread(task);
    thread.setDaemon(true);
    thread.start();
  }

  private static void print(String line) {
    System.out.println(line);
    System.out.flush();
  }
}
