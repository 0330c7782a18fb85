package org.stage.testkit;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.stage.api.graph.Module;
import org.stage.testkit.text.GraphTextParser;

/** Modules of common forms, for transforms that may have nothing to do in them. */
final class ModuleSamples {
  private static final Map<String, String> TEXTS = new LinkedHashMap<>();

  static {
    TEXTS.put("none", "module none");
    TEXTS.put("through", "module through\ninput x[batch, embed]\noutput x");
    TEXTS.put(
        "mlp",
        """
        module mlp
        axis batch, seq, norm_seq = seq, embed, mlp
        input x[batch, norm_seq, embed]
        parameter norm.weight[embed]:weight
        parameter up.weight[embed, mlp]:weight
        parameter down.weight[mlp, embed]:weight
        norm: n[batch, norm_seq, embed] = rms_norm(x[batch, norm_seq, embed], norm.weight[embed])
        up: h[batch, seq, mlp] = einsum(n[batch, seq, embed], up.weight[embed, mlp])
        act: a[batch, seq, mlp] = gelu(h[batch, seq, mlp])
        down: d[batch, seq, embed] = einsum(a[batch, seq, mlp], down.weight[mlp, embed])
        residual: y[batch, norm_seq, embed] = add(x[batch, norm_seq, embed], d[batch, norm_seq, embed])
        output y
        """);
    // two results of an operator, one of a kind of somebody's own, and parts that nobody uses
    TEXTS.put(
        "attention",
        """
        module attention
        axis batch, seq, heads, head_dim
        input q[batch, seq, heads, head_dim], positions[seq]:index
        parameter unused[heads]:weight
        turn: r[batch, seq, heads, head_dim] = my_rotary(q[batch, seq, heads, head_dim], positions[seq])
        core: o[batch, seq, heads, head_dim], lse[batch, seq, heads]:statistic = attention(r[batch, seq, heads, head_dim], r[batch, seq, heads, head_dim], q[batch, seq, heads, head_dim])
        left: g[batch, seq, heads, head_dim] = gelu(o[batch, seq, heads, head_dim])
        output lse, o, q
        """);
    TEXTS.put(
        "sums",
        """
        module sums
        axis batch, embed
        input a[batch, embed], b[batch, embed], bias[embed]
        first: s[batch, embed] = add(a[batch, embed], b[batch, embed])
        second: t[batch, embed] = add(s[batch, embed], bias[embed])
        third: u[batch, embed] = add(t[batch, embed], s[batch, embed])
        output t, u
        """);
  }

  private ModuleSamples() {}

  static List<String> names() {
    return List.copyOf(TEXTS.keySet());
  }

  static Module get(String name) {
    return GraphTextParser.parse(String.valueOf(TEXTS.get(name)));
  }
}
